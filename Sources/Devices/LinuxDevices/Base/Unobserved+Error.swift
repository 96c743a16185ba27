internal import AccessModel

extension Unobserved {
  /// A Boolean value that indicates whether the cause may be temporary.
  ///
  /// No event reports the end of such a cause.
  var isOfPassingError: Bool { Self.passingReasons.contains(reason) }

  private static let passingReasons = Set(
    [.inputOutput, .tooManyFiles, .noMemory, .tryAgain].map { (error: Errno) in error.reason })
}
