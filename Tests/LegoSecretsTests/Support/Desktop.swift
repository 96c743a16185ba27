import Foundation

@testable import LegoSecrets

/// A session bus of its own that can start nothing, and what runs on it.
final class Desktop {
  static let application = "secrets-test"

  let folder: Folder
  let bus: Child
  private(set) var keyring: Child?

  /// Whether what it takes is installed.
  static let isInstalled = [keyringProgram, "/usr/bin/dbus-daemon", "/usr/bin/dbus-monitor"]
    .allSatisfy(FileManager.default.isExecutableFile)
  private static let keyringProgram = "/usr/bin/gnome-keyring-daemon"

  init() async throws {
    let folder = try Folder()
    self.folder = folder
    try folder.write(
      "bus.conf",
      """
      <busconfig><type>session</type><listen>unix:path=\(folder.path("bus"))</listen>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """)
    try folder.write("password", "of the test")
    bus = try Child(
      "exec dbus-daemon --config-file=\(folder.path("bus.conf")) --nofork", in: folder)
    guard await eventually({ FileManager.default.fileExists(atPath: folder.path("bus")) }) else {
      throw CocoaError(.fileNoSuchFile)
    }
  }

  var address: String { "unix:path=\(folder.path("bus"))" }

  private var environment: [String: String] {
    [
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_DATA_HOME": folder.path("data"),
      "DBUS_SESSION_BUS_ADDRESS": address,
    ]
  }

  /// The store on this bus.
  func store(
    timeout: Duration = .seconds(100), application: String = Desktop.application
  ) -> SecretStore {
    .secretService(application: application, timeout: timeout, at: address)
  }

  func secrets(timeout: Duration = .seconds(100)) -> Secrets { Secrets([store(timeout: timeout)]) }

  /// Starts the real service, with its collection unlocked or as it was left: locked, or not there.
  func startKeyring(unlocked isUnlocked: Bool, isNew: Bool = false) async throws {
    keyring?.end()
    // A copy has no capabilities, which a container may refuse to start a program with. A program of
    // its own makes it: a file that this process writes is also open in what other tests start at
    // the moment, and cannot be executed until that has begun (ETXTBSY).
    let program = folder.path("keyring")
    let words = isUnlocked ? "--unlock <\(folder.path("password"))" : "</dev/null"
    let keyring = try Child(
      """
      { test -e \(program) || cp \(Self.keyringProgram) \(program)
      exec \(program) --foreground --components=secrets \(words); } 2>\(folder.path("errors"))
      """, in: folder, environment: environment)
    self.keyring = keyring
    let secrets = secrets()
    var reason = ""
    let isDecided = await eventually {
      do throws(SecretError) {
        _ = try await secrets.read("nothing", String.self)
        reason = ""
        return true
      } catch {
        reason = error.reason
        let isMeant = reason.contains(isNew ? "default collection" : "locked") && !isUnlocked
        if isMeant { reason = "" }
        return isMeant || keyring.hasEnded
      }
    }
    guard isDecided, reason.isEmpty else {
      throw KeyringNotStarted(
        reason: reason, hasEnded: keyring.hasEnded, errors: folder.text("errors"))
    }
  }

  /// Everything that goes over the bus from now on, in a file.
  func monitor() async throws -> Child {
    let child = try Child(
      "exec dbus-monitor --address \(address) >\(folder.path("messages"))", in: folder)
    let folder = folder
    guard await eventually({ folder.text("messages")?.contains("NameAcquired") ?? false }) else {
      throw CocoaError(.fileReadUnknown)
    }
    return child
  }

  /// What went over the bus.
  var messages: String { folder.text("messages") ?? "" }
}
