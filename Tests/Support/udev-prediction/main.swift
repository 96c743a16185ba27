internal import Glibc

exit(PredictionCommand.run())
