internal import AccessModel

extension DeviceUse {
  /// What a program does with a virtual camera, such as `probably feeds it`; `nil` where that cannot be
  /// told.
  func directionText(of holder: DeviceHolder) -> String? {
    direction(of: holder).map { direction in
      let words = direction == .feeds ? "feeds it" : "views it"
      return isDirectionProven(of: holder) ? words : "probably \(words)"
    }
  }
}
