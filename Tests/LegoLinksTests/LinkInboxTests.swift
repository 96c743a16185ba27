import LegoKit
import LegoLinks
import LinuxTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An inbox of links` {
  let inbox = LinkInbox()

  @Test func `keeps what arrives for a reader who comes later, in order`() async {
    for number in 0..<3 { inbox.send(LinkArrival("\(number)")) }
    inbox.finish()
    var read: [String?] = []
    for await arrival in inbox { read.append(arrival.link) }
    #expect(read == ["0", "1", "2"])
  }

  @Test func `refuses what is too much, and what comes after its end`() async {
    for _ in 0..<LinkInbox.capacity { #expect(inbox.send(LinkArrival("a"))) }
    #expect(!inbox.send(LinkArrival("b")))
    var iterator = inbox.makeAsyncIterator()
    #expect(await iterator.next() == LinkArrival("a"))
    #expect(inbox.send(LinkArrival("b")))
    inbox.finish()
    #expect(!inbox.send(LinkArrival("c")))
  }

  @Test func `lets a reader go whose task is cancelled, and loses nothing by it`() async {
    let task = Task {
      var iterator = self.inbox.makeAsyncIterator()
      return await iterator.next()
    }
    await Task.yield()
    task.cancel()
    let read = await task.value
    #expect(read == nil)
    inbox.send(LinkArrival("a"))
    var iterator = inbox.makeAsyncIterator()
    #expect(await iterator.next() == LinkArrival("a"))
  }

  @Test func `gives each arrival to one of its readers`() async {
    let rounds = 20_000
    let inbox = inbox
    let seen = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var own: [String] = []
          for await arrival in inbox { own.append(arrival.link ?? "") }
          return own
        }
      }
      await withTaskGroup(of: Void.self) { writers in
        for writer in 0..<2 {
          writers.addTask {
            for number in 0..<rounds {
              while !inbox.send(LinkArrival("\(writer) \(number)")) { await Task.yield() }
            }
          }
        }
      }
      inbox.finish()
      return await group.reduce([], +)
    }
    #expect(seen.count == 2 * rounds)
    #expect(Set(seen).count == 2 * rounds)
  }

  @Test func `is a publisher too`() async {
    inbox.send(LinkArrival("a"))
    inbox.finish()
    let links = Mutex<[String?]>([])
    let subscription = inbox.publisher.sink(
      receiveCompletion: { _ in links.withLock { $0.append(nil) } },
      receiveValue: { arrival in links.withLock { $0.append(arrival.link) } })
    #expect(await eventually { links.withLock { $0.count } == 2 })
    #expect(links.withLock { $0 } == ["a", nil])
    subscription.cancel()
  }
}
