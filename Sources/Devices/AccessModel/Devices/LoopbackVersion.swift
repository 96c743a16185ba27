/// A range of v4l2loopback versions with the same behavior for the users of a virtual camera.
public enum LoopbackVersion: String, Hashable, Sendable, Codable, CaseIterable {
  /// Before version 0.13, any number of programs can view a camera.
  ///
  /// The camera reports that it is fed as long as any program has it open, even if no program feeds
  /// it any longer.
  case anyViewers = "0.12"
  /// In version 0.13, only one program can map the buffers for viewers.
  ///
  /// The camera still reports that it is fed after the feeding program has ended.
  case oneMapping = "0.13"
  /// Since version 0.14, only one program can view a camera, regardless of how it reads the
  /// pictures.
  ///
  /// The camera reports that it is fed only while a program feeds it, or if a control
  /// (`keep_format`) makes it do so.
  case oneViewer = "0.14"

  /// Creates the version of a module whose cameras have the attribute `state`, as all have since
  /// 0.13.
  ///
  /// - Parameter release: The release, such as `v0.15.0`; `nil` if the module does not report it,
  ///   as before 0.13.2.
  package init(withState release: String?) {
    let text = release?.drop { $0 == "v" } ?? ""
    let numbers = text.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
    guard numbers.count == 2 else {
      self = .oneMapping
      return
    }
    self = numbers[0] > 0 || numbers[1] >= 14 ? .oneViewer : .oneMapping
  }

  /// A Boolean value that indicates whether a camera stops reporting that it is fed when the
  /// feeding program ends.
  ///
  /// A control can keep the camera from doing so.
  var feedEndsWithFeeder: Bool { self == .oneViewer }
}
