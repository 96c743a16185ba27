internal import AccessModel

extension CommandArguments {
  /// The devices whose users most people mean.
  static let usualDevices = [DeviceKind.camera, .microphone].map { Question.Target.kind($0) }

  /// The devices whose users are asked about, each once; none where none was named.
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
