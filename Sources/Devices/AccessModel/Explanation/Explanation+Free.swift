extension Explanation {
  /// The answer if the device must also be free of other users.
  ///
  /// If ``answer`` is not `allowed`, this value is the same. A device that programs have open
  /// without blocking others counts as free. If no use was observed, but not every process could be
  /// inspected, the value is `undetermined`, unless the device serves any number of programs.
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
