"""The table, the laboratory and the books in the browser: composes the packages above and holds no rule."""
