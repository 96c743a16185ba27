internal import AccessModel

/// The devices whose users are followed.
struct TopUsersQuestion: Hashable, Sendable {
  /// The kinds that have a device, and the devices that were named by their paths.
  let targets: [Question.Target]
  /// How often somebody asked to look from the beginning.
  let request: Int

  /// `nil` where no row is that of a device.
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
