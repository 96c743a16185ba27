import DevicePermissions
import Glibc
import LegoKit

/// Has a person choose pictures, and prints the name and size of each.
struct Program {
  @Contractor(\.permissions) private var permissions
  let output: (String) -> Void

  init(output: @escaping (String) -> Void) { self.output = output }

  /// Runs it.
  ///
  /// - Returns: The exit status: 1 where there is no picture to read.
  func run() async -> Int32 {
    let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
    let request = AlbumSelectionRequest(title: "Choose pictures to measure")
    await lego.build(.requestAlbumSelection(request)).finished()
    let selection = lego.design.albumSelection
    await lego.close()
    guard let selection, selection.answer == .allowed else {
      output("no pictures: \(Self.printable(selection?.reason ?? "there is no answer"))")
      return 1
    }
    for file in selection.files {
      output("\(Self.printable(file.name)): \(measure(file))")
    }
    if !selection.isComplete { output("and more, which are left out") }
    return 0
  }

  private func measure(_ file: SelectedFile) -> String {
    if let reason = file.reason { return "cannot be read: \(reason)" }
    do throws(AlbumError) {
      // It is closed with its last use.
      let picture = try permissions.open(file)
      var status = stat()
      guard unsafe fstat(picture.rawValue, &status) == 0 else { return "cannot be measured" }
      return "\(status.st_size) bytes"
    } catch {
      return "cannot be opened: \(error.reason)"
    }
  }

  /// A name without what a terminal would obey, or show in another order.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "?"
          default: scalar
          }
        }))
  }
}
