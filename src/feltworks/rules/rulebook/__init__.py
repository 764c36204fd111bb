"""The facts of approved games as data: read from TOML and checked."""
