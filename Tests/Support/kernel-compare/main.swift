internal import Glibc

exit(await CompareCommand.run(Array(CommandLine.arguments.dropFirst())))
