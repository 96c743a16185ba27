import LegoKit

/// Compares a store made of features with a single blueprint that does the same.
@concurrent func measureFeatures() async {
  Report.shared.begin(
    "a build through features of three levels, off the main actor",
    "a lamp in one of eight rooms in a house; one observer, which makes the store copy the rooms")
  let whole = Lego(.init(), blueprint: WholeHouseRules())
  let plain = Lego(.init(), feature: HouseRules.plain)
  let foundByCase = Lego(.init(), feature: HouseRules.foundByCase)
  let answered = Lego(.init(), feature: HouseRules.answered)
  let waiting = Lego(.init(), feature: HouseRules.waiting)
  waiting.build(.room(3, .lamp(.turn(-1))))
  let tokens =
    [whole.onDesignChange(look)]
    + [plain, foundByCase, answered, waiting].map { $0.onDesignChange(look) }
  _ = await measure(
    Operation("by one blueprint", count: 5_000) {
      for i in 0..<$0 { whole.build(.room(i & 7, .lamp(.turn(i | 1)))) }
    },
    Operation("by features", count: 5_000) {
      for i in 0..<$0 { plain.build(.room(i & 7, .lamp(.turn(i | 1)))) }
    },
    Operation("by features found by their cases", count: 5_000) {
      for i in 0..<$0 { foundByCase.build(.room(i & 7, .lamp(.turn(i | 1)))) }
    },
    Operation("by features with an adaptor each", count: 5_000) {
      for i in 0..<$0 { answered.build(.room(i & 7, .lamp(.turn(i | 1)))) }
    },
    Operation("by features with an effect under way in a part", count: 5_000) {
      for i in 0..<$0 { waiting.build(.room(i & 7, .lamp(.turn(i | 1)))) }
    })
  withExtendedLifetime(tokens) {}
}

@Sendable private func look(_ design: HouseRules.Design) { look(design.changes) }
