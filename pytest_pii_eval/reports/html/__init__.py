"""The report as one HTML page: values to show, geometry of its plots, and the templates that show them."""
