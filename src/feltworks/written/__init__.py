"""How is a written round settled? Its format, its replay through the rules, and the sheet of its lines."""
