import DeviceWatching
import Testing

@Suite struct `What a watch was told` {
  @Test func `is all of it, in any order`() {
    var changes = WatchedChanges.none
    changes.formUnion(WatchedChanges(.some([3]), arrivals: ["/a"]))
    changes.formUnion(WatchedChanges(.some([1])))
    changes.formUnion(WatchedChanges(.some([3, 2]), arrivals: ["/b", "/a"]))
    #expect(changes == WatchedChanges(.some([1, 2, 3]), arrivals: ["/a", "/b"]))
    changes.formUnion(.all)
    #expect(changes == WatchedChanges(.all, arrivals: ["/a", "/b"]))
  }

  /// Names may come and go for a long time before a consumer reads the changes.
  @Test func `fills no memory, and loses no question`() {
    var changes = WatchedChanges.none
    for number in 0..<10_000 {
      changes.formUnion(WatchedChanges(.some([number]), arrivals: ["/dev/\(number)"]))
    }
    #expect((1000...2000).contains(changes.arrivals.count))
    #expect((0..<10_000).allSatisfy(changes.questions.contains))
  }
}
