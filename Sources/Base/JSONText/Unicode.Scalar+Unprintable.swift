extension Unicode.Scalar {
  /// A Boolean value that indicates whether the character must not be sent to a terminal unescaped.
  ///
  /// This applies to control characters, line separators, unassigned and private-use characters,
  /// and characters that hide or reorder text.
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
