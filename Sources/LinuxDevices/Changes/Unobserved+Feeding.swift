internal import AccessModel

extension Unobserved {
  /// That nothing tells when a program begins or ceases to feed a virtual camera.
  static func feedEvents(of camera: DeviceFacts) -> Unobserved {
    Unobserved(
      "feed-events", at: camera.node,
      reason: "the virtual camera driver does not report when a program feeds a camera")
  }
}
