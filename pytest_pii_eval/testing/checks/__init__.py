"""The rules of the contract for detectors, one function each; they raise `Broken`, without text."""
