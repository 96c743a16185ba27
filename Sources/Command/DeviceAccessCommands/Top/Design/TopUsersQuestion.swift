internal import AccessModel

/// The devices whose users are observed.
struct TopUsersQuestion: Hashable, Sendable {
  /// The kinds with at least one device, and the devices that the user named by path.
  let targets: [Question.Target]
  /// The number of times that the user requested a new scan; a new value restarts the observation.
  let request: Int

  /// Creates a question from the rows; returns `nil` if no row is a device.
  init?(_ rows: [TopRow], request: Int) {
    let devices = rows.filter { $0.node != nil }
    let kinds = Set(devices.map(\.kind))
    targets =
      DeviceKind.all.filter { kinds.contains($0.name) }.map { .kind($0) }
      + devices.filter { $0.kind == TopRow.pathKind }.map { .path($0.path) }
    guard !targets.isEmpty else { return nil }
    self.request = request
  }
}
