"""Runs alembic's migrations on the connection that it is given, in that connection's transaction."""

from alembic import context

from feltworks.house.storage.schema import metadata

if hasattr(context, "config"):  # without a running migration this file is only imported
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()
