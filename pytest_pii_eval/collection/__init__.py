"""From files to items: conformance cases and support checks of a bank."""
