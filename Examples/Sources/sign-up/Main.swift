import Glibc
import LegoKit

/// Signs a person up: `sign-up FOLDER`.
@main struct Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 1, let folder = arguments.first, !folder.hasPrefix("-") else {
      fail("usage: sign-up FOLDER, in which each account becomes a file", 64)
    }
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      fail("cannot write to \(folder.debugDescription)", 1)
    }
    let login = await withContractors {
      $0.accounts = AccountsService(folder: folder)
    } operation: {
      await run()
    }
    guard let login else { exit(1) }
    print("Signed up \(login).")
  }

  /// Shows the form until somebody is signed up or leaves.
  ///
  /// - Returns: The login; `nil` where the person left.
  private static func run() async -> String? {
    let lego = Lego(.init(), feature: .wizard)
    guard let terminal = Terminal() else { fail("needs a terminal", 1) }
    let bell = terminal.bell
    let changes = lego.onDesignChange { _ in bell.ring() }
    showing: while true {
      let design = lego.design
      if design.submission == .sent { break }
      terminal.draw(WizardText(design: design).lines)
      guard let keys = terminal.keys() else { break }
      for key in keys {
        let now = lego.design
        if key == .escape, now.path.isEmpty { break showing }
        if let change = key.change(now) { lego.build(change) }
      }
    }
    changes.cancel()
    // Nobody rings the bell any more when this returns.
    await lego.close()
    return lego.design.submission == .sent ? lego.design.login.value : nil
  }

  private static func fail(_ reason: String, _ status: Int32) -> Never {
    let line = Array("sign-up: \(reason)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
