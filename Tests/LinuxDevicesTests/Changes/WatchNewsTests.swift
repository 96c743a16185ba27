import LinuxDevices
import Testing

@Suite struct `What a watch was told` {
  @Test func `is all of it, in any order`() {
    var news = WatchNews.none
    news.formUnion(WatchNews(.some([3]), arrivals: ["/a"]))
    news.formUnion(WatchNews(.some([1])))
    news.formUnion(WatchNews(.some([3, 2]), arrivals: ["/b", "/a"]))
    #expect(news == WatchNews(.some([1, 2, 3]), arrivals: ["/a", "/b"]))
    news.formUnion(.all)
    #expect(news == WatchNews(.all, arrivals: ["/a", "/b"]))
  }

  /// Names may come and go for as long as nobody asks.
  @Test func `fills no memory, and loses no question`() {
    var news = WatchNews.none
    for number in 0..<10_000 {
      news.formUnion(WatchNews(.some([number]), arrivals: ["/dev/\(number)"]))
    }
    #expect((1000...2000).contains(news.arrivals.count))
    #expect((0..<10_000).allSatisfy(news.questions.contains))
  }
}
