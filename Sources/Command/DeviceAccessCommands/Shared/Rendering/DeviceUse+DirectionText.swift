internal import AccessModel

extension DeviceUse {
  /// Describes whether a program feeds or views a virtual camera, such as `probably feeds it`.
  ///
  /// The result is `nil` if the direction is unknown.
  func directionText(of holder: DeviceHolder) -> String? {
    direction(of: holder).map { direction in
      let words = direction == .feeds ? "feeds it" : "views it"
      return isDirectionProven(of: holder) ? words : "probably \(words)"
    }
  }
}
