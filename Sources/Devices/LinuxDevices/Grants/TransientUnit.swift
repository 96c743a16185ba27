internal import AccessModel
internal import Glibc
internal import MessageBus

/// A systemd unit that exists until it is stopped or the system shuts down, and its service.
///
/// Root's units belong to the system manager, and those of other users to their own managers. See
/// `StartTransientUnit` in org.freedesktop.systemd1(5).
struct TransientUnit {
  /// A setting of a unit, with its D-Bus name.
  struct Setting {
    let name: String
    let value: BusArgument
  }

  /// The name of the unit and of its service, without the type.
  let name: String
  /// The type of the unit, `timer` or `path`.
  let type: String

  /// The option that selects the same manager in systemctl(1) and systemd-run(1).
  static var managerOption: [String] { geteuid() == 0 ? [] : ["--user"] }

  private var fullName: String { "\(name).\(type)" }

  /// Starts the unit.
  ///
  /// - Parameters:
  ///   - description: The description of the unit.
  ///   - settings: The settings that determine when the service starts.
  ///   - command: The absolute path of the program that the service runs, and its arguments.
  ///   - serviceSettings: Further settings of the service.
  /// - Throws: The reason why the manager rejected the unit.
  func start(
    _ description: String, _ settings: [Setting], running command: [String],
    _ serviceSettings: [Setting] = []
  ) throws(BusFailure) {
    let line: BusArgument = .structure([
      .text(command.first ?? ""), .array(of: "s", command.map { .text($0) }), .boolean(false),
    ])
    let description = Setting(name: "Description", value: .text(description))
    let service =
      [description, Setting(name: "ExecStart", value: .array(of: "(sasb)", [line]))]
      + serviceSettings
    try Self.call(
      "StartTransientUnit",
      [
        .text(fullName), .text("fail"), Self.settings([description] + settings),
        .array(
          of: "(sa(sv))", [.structure([.text("\(name).service"), Self.settings(service)])]),
      ])
  }

  /// Stops the unit, if it exists.
  func stop() {
    do throws(BusFailure) {
      try Self.call("StopUnit", [.text(fullName), .text("replace")])
    } catch {
      // The manager responded that the unit does not exist.
      if error.name == "org.freedesktop.systemd1.NoSuchUnit" { return }
      // systemctl(1) prints an error if the unit or the manager does not exist, so check first.
      let systemctl = ["systemctl"] + Self.managerOption
      let question = systemctl + ["--quiet", "is-active", fullName]
      guard (try? SystemProgram.run(question, isQuiet: true)) == 0 else { return }
      _ = try? SystemProgram.run(systemctl + ["stop", fullName])
    }
  }

  private static func settings(_ settings: [Setting]) -> BusArgument {
    .array(of: "(sv)", settings.map { .structure([.text($0.name), .variant($0.value)]) })
  }

  private static func call(_ member: String, _ arguments: [BusArgument]) throws(BusFailure) {
    let service = "org.freedesktop.systemd1"
    let bus = try BusConnection(geteuid() == 0 ? .system : .user)
    _ = try bus.call(
      BusCall(service, "/org/freedesktop/systemd1", "\(service).Manager", member, arguments),
      within: .seconds(10), limits: BusLimits(text: 4096, values: 16, depth: 4))
  }
}
