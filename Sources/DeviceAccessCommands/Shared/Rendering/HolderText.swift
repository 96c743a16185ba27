internal import AccessModel

/// The words for whom a program belongs to, and to what.
struct HolderText: Sendable {
  private let process: HoldingProcess?
  private let applicationName: String?
  private let style: Style

  /// Those for a process that holds a device.
  init(_ holder: DeviceHolder, _ style: Style) {
    process = holder.process
    applicationName = holder.process.application
    self.style = style
  }

  /// Those for a program that uses a device through a media server.
  init(_ client: MediaClient, _ style: Style) {
    process = client.process
    applicationName = client.application ?? client.process?.application
    self.style = style
  }

  /// The user that it runs as; `nil` when that is not known.
  var user: String? {
    process?.userName.map { style.safe($0, limit: 32) } ?? process?.user.map { String($0) }
  }

  /// The application, the container or the unit, whichever says most; `nil` when none is known.
  var place: String? {
    application ?? container ?? process?.unit.map { style.safe($0, limit: 32) }
  }

  /// All of them, each with what it is.
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
