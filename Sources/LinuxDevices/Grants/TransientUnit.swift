internal import AccessModel
internal import Glibc
internal import MessageBus

/// A unit of systemd that is there until it is stopped or the system ends, and the service that it
/// starts (`StartTransientUnit`, org.freedesktop.systemd1(5)).
///
/// Root's are the system's units, those of others belong to their own manager.
struct TransientUnit {
  /// A setting of a unit, under the name that the bus knows it by.
  struct Setting {
    let name: String
    let value: BusArgument
  }

  /// The name without its type; that of the service, too.
  let name: String
  /// `timer` or `path`.
  let type: String

  /// What tells systemctl(1) and systemd-run(1) which manager it is.
  static var managerOption: [String] { geteuid() == 0 ? [] : ["--user"] }

  private var fullName: String { "\(name).\(type)" }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - description: What it is for.
  ///   - settings: When it starts the service.
  ///   - command: The absolute path of the program that the service runs, and its arguments.
  ///   - serviceSettings: What else the service needs.
  /// - Throws: Why the manager does not take it.
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

  /// Stops it; one that is not there is no error.
  func stop() {
    do throws(BusFailure) {
      try Self.call("StopUnit", [.text(fullName), .text("replace")])
    } catch {
      // The manager itself says that there is no such unit.
      guard error.name.isEmpty else { return }
      // systemctl(1) complains of one that is not there, and of a manager that is not.
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
