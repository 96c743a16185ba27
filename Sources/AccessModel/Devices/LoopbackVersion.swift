/// The versions of v4l2loopback that differ in what the users of a virtual camera can do, each by the
/// first release that is so.
public enum LoopbackVersion: String, Hashable, Sendable, Codable, CaseIterable {
  /// Any number of programs view one camera. It says that it is fed for as long as anybody has it open,
  /// also when the feeder has gone. Before version 0.13.
  case anyViewers = "0.12"
  /// One program alone has the viewers' buffers mapped; the camera still says that it is fed when the
  /// feeder has gone.
  case oneMapping = "0.13"
  /// One program alone views it, whichever way it takes the pictures, and the camera says that it is fed
  /// for as long as somebody feeds it, or as a control makes it (`keep_format`).
  case oneViewer = "0.14"

  /// The version that a module behaves like whose cameras have the attribute `state`, as all have
  /// since 0.13.
  ///
  /// - Parameter release: Such as `v0.15.0`; `nil` where the module tells none, as before 0.13.2.
  package init(withState release: String?) {
    let text = release?.drop { $0 == "v" } ?? ""
    let numbers = text.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
    guard numbers.count == 2 else {
      self = .oneMapping
      return
    }
    self = numbers[0] > 0 || numbers[1] >= 14 ? .oneViewer : .oneMapping
  }

  /// Whether a camera says no longer that it is fed when the feeder has gone, unless a control keeps it.
  var feedEndsWithFeeder: Bool { self == .oneViewer }
}
