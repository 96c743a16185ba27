internal import AccessModel

/// Describes the user of a program, and the application, container or unit that it belongs to.
struct HolderText: Sendable {
  private let process: HoldingProcess?
  private let applicationName: String?
  private let style: Style

  /// Describes a process that holds a device.
  init(_ holder: DeviceHolder, _ style: Style) {
    process = holder.process
    applicationName = holder.process.application
    self.style = style
  }

  /// Describes a program that uses a device through a media server.
  init(_ client: MediaClient, _ style: Style) {
    process = client.process
    applicationName = client.application ?? client.process?.application
    self.style = style
  }

  /// The user that the program runs as; `nil` if unknown.
  var user: String? {
    process?.userName.map { style.safe($0, limit: 32) } ?? process?.user.map { String($0) }
  }

  /// The application, else the container, else the unit; `nil` if none is known.
  var place: String? {
    application ?? container ?? process?.unit.map { style.safe($0, limit: 32) }
  }

  /// The application, the container and the unit, each with a label.
  var details: [String] {
    [
      application.map { "application \($0)" }, container.map { "container \($0)" },
      process?.unit.map { "unit \(style.safe($0))" },
    ].compactMap(\.self)
  }

  private var application: String? {
    applicationName.map { style.safe($0, limit: 48) }
  }

  private var container: String? {
    process?.containerWords?.map { style.safe($0, limit: 48) }.joined(separator: " ")
  }
}
