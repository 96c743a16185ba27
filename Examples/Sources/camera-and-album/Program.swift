import DevicePermissions
import LegoKit

/// The program without its process: what it reads and prints is a test's, or the terminal's.
struct Program {
  static let name = "camera-and-album"
  private static let usage = """
    Usage: camera-and-album [--take]

    Shows whether the camera and the album may be used, what helps if not, and takes pictures.
    --take takes one picture and prints its path.

    Exit status: 0 when it is saved, 1 when access is refused, 2 when that cannot be told, 3 when
    there is no camera or no album, 64 for wrong arguments, 70 when the camera or the disk fails.
    """

  /// Gets each line of the output.
  var output: @Sendable (String) -> Void
  /// Gets each line about an error.
  var errors: @Sendable (String) -> Void
  /// Gives the next line that was typed, and `nil` at the end.
  var input: () -> String?

  /// Runs the program.
  ///
  /// - Returns: The exit status.
  func run(_ arguments: [String]) async -> Int32 {
    switch arguments {
    case []: return await show()
    case ["--take"]: return await take()
    case ["--help"], ["-h"]:
      output(Self.usage)
      return 0
    default:
      complain("wrong arguments; see \(Self.name) --help")
      return 64
    }
  }

  /// Takes one picture.
  private func take() async -> Int32 {
    let lego = Lego(.init(), feature: .app)
    await lego.build(.start).finished()
    await lego.build(.takePicture).finished()
    let design = lego.design
    switch design.photo {
    case .saved(let picture):
      output(ScreenText.printable(picture.path))
      return 0
    case .failed(let reason):
      complain(ScreenText.printable(reason))
      return 70
    case .none, .taking:
      complain(ScreenText(design: design).complaint ?? "the permissions cannot be told")
      return status(of: design)
    }
  }

  /// Shows the screens, and obeys what is typed.
  private func show() async -> Int32 {
    let lego = Lego(.init(), feature: .app)
    let show = output
    ScreenText(design: lego.design).lines.forEach(show)
    let shown = lego.observe(\.lines) { lines in
      show("")
      lines.forEach(show)
    }
    await lego.build(.start).finished()
    // From now on the screens follow what happens on the machine.
    lego.build(.permission(.watch(true)))
    reading: while let line = input() {
      switch line.split(separator: " ").joined(separator: " ") {
      case "take" where lego.design.screen == .preview:
        await lego.build(.takePicture).finished()
      case "take": complain("no picture can be taken now")
      case "quit": break reading
      case "": continue
      default: complain("unknown command; there are take and quit")
      }
    }
    shown.cancel()
    await lego.close()
    return 0
  }

  private func complain(_ reason: String) { errors("\(Self.name): \(reason)") }

  /// The exit status for what is missing.
  private func status(of design: AppBlueprint.Design) -> Int32 {
    let permissions = design.permissions
    let report = design.missing == .album ? permissions.albumReport : permissions.cameraReport
    return switch report?.answer {
    // The part that is missing is refused, or a request is still open.
    case .refused?, .allowed?: 1
    case .absent?: 3
    case .undetermined?, nil: 2
    }
  }
}

extension AppBlueprint.Design {
  /// What is shown; two designs that look alike have the same.
  fileprivate var lines: [String] { ScreenText(design: self).lines }
}
