"""Top-level pytest configuration: the pytester fixture for the tests of the plugin itself."""

pytest_plugins = ["pytester"]
