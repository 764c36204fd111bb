"""Which bonus wagers ride on a base game? One file each, found by its name; they read its standing alone."""
