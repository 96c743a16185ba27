import Foundation
import PackagePlugin

/// Writes a feature, a service or a router, with its test, into the package that runs it.
@main struct LegoPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard let arguments = try Arguments(arguments) else {
      print(Arguments.help)
      return
    }
    let places = try Places(context.package, arguments)
    let files = arguments.files(in: places)
    let writer = SourceWriter(root: context.package.directoryURL)
    try writer.check(files)
    if arguments.isDryRun {
      for file in files { print("// \(writer.path(of: file))\n\(file.text)") }
    } else {
      try writer.write(files)
      for file in files { print("wrote \(writer.path(of: file))") }
    }
    if places.tests == nil { print(places.howToAddTests) }
  }
}

extension Arguments {
  fileprivate func files(in places: Places) -> [SourceFile] {
    switch kind {
    case .feature: feature(in: places)
    case .service: service(in: places)
    case .router: router(in: places)
    }
  }
}
