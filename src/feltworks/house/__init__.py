"""The operator's office: the law, approvals, users, and the books of tables and progressives."""
