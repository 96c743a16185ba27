/// A number that lines assign, and that one of them may fix.
struct UdevRuleSetting {
  /// The value; `nil` when no line gave one.
  var value: UdevRuleKnown<UInt32?> = .value(nil)
  var fixing = UdevRuleFixing()
}
