internal import AccessModel

extension Unobserved {
  /// Returns the gap for a virtual camera, whose driver does not report that a program feeds it.
  static func feedEvents(of camera: DeviceFacts) -> Unobserved {
    Unobserved(
      "feed-events", at: camera.node,
      reason: "the virtual camera driver does not report when a program feeds a camera")
  }
}
