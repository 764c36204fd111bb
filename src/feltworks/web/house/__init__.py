"""The house's pages over HTTP: who is logged in, what they may do, and the books they work in."""
