/// The result of a match.
struct UdevRuleMatch {
  let result: UdevRuleCertainty
  var found: UdevRuleText?
  var doubt: UdevRuleDoubt?

  init(_ result: UdevRuleCertainty, found: UdevRuleText? = nil, doubt: UdevRuleDoubt? = nil) {
    self.result = result
    self.found = found
    self.doubt = doubt
  }

  static func unknown(_ doubt: UdevRuleDoubt) -> UdevRuleMatch {
    UdevRuleMatch(.maybe, doubt: doubt)
  }
}
