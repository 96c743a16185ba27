internal import AccessModel

extension CommandArguments {
  /// The kinds of device whose users are shown by default.
  static let usualDevices = [DeviceKind.camera, .microphone].map { Question.Target.kind($0) }

  /// Returns the devices that the operands name, without duplicates; empty without operands.
  ///
  /// - Throws: ``UsageError``.
  func devices() throws(UsageError) -> [Question.Target] {
    var seen: Set<Question.Target> = []
    return try operands.map { (word) throws(UsageError) in
      let target = try OperandReader.target(word, for: declaration.name, fileExists: fileExists)
      guard case .kind = target else { return target }
      return .kind(try OperandReader.device(word, for: declaration.name))
    }
    .filter { seen.insert($0).inserted }
  }
}
