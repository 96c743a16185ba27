/// A number that lines can assign, until one of them makes it final.
struct UdevRuleSetting {
  /// The value; `nil` if no line has set one.
  var value: UdevRuleKnown<UInt32?> = .value(nil)
  var fixing = UdevRuleFixing()
}
