"""The house over HTTP: logins, what each role may do, and the books."""
