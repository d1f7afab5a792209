"""From a machine to a simulation program: equations of motion, classes and blocks, programs."""
