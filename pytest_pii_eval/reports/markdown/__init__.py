"""The report and a comparison as Markdown: what a reviewer reads in a pull request."""
