"""How alembic reaches the books: through the connection it is handed, in that connection's transaction."""

from alembic import context

from feltworks.house.storage.schema import metadata

if hasattr(context, "config"):  # whoever merely looks at this file has no migration under way
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()
