internal import AccessModel

extension Unobserved {
  /// Whether it is for an error that may be gone a moment later, of which nothing tells.
  var isOfPassingError: Bool { Self.passingReasons.contains(reason) }

  private static let passingReasons = Set(
    [.inputOutput, .tooManyFiles, .noMemory, .tryAgain].map { (error: Errno) in error.reason })
}
