"""What people do in the pages, in a real Chromium before a real server."""
