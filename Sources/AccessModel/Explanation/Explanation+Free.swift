extension Explanation {
  /// The answer where no other program may be in the way either.
  ///
  /// A device that programs have open without keeping others out is not in use. One that nobody was
  /// seen to use is unknown where not every process could be looked into, unless it serves any
  /// number of programs.
  public var answerIfFree: Answer {
    guard answer == .allowed else { return answer }
    return switch occupation {
    case .free, .open: .allowed
    case .busy, .held: .refused
    case .unknown: use?.servesAnyNumber == true ? .allowed : .undetermined
    case nil: .undetermined
    }
  }
}
