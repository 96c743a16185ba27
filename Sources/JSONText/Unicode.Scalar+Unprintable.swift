extension Unicode.Scalar {
  /// Whether a terminal must not receive it as it is: controls, line separators, and characters
  /// that hide or reorder text.
  package var isUnprintable: Bool {
    if value >= 0x20 && value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return true
    default:
      return false
    }
  }
}
