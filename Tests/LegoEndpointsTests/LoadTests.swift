import Foundation
import LegoEndpoints
import LinuxTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoadTests {
  @Test func `of 200 calls at once, half of them cancelled, none hangs and no descriptor is left`()
    async
  {
    // In a process of its own, whose descriptors no other test opens.
    await #expect(processExitsWith: .success) {
      let server = try LocalServer()
      defer { server.stop() }

      func round(calls: Int) async {
        let endpoints = Endpoints(base: server.base, retry: .never, connections: 64)
        let tasks = (0..<calls).map { number in
          Task { () -> EndpointError.Code? in
            // A few answers are slow, so that there is something to cancel.
            let path: EndpointPath = number % 2 == 0 ? "/bytes/2000" : "/drip/50/100"
            var endpoint = GetText(path)
            if number % 4 < 2 {
              endpoint.method = .post
              endpoint.body = .text("body")
            }
            return await endpoints.error(of: endpoint)?.code
          }
        }
        try? await Task.sleep(for: .milliseconds(20))
        for (number, task) in tasks.enumerated() where number % 2 == 1 { task.cancel() }
        for (number, task) in tasks.enumerated() {
          let code = await task.value
          #expect(number % 2 == 0 ? code == nil : code == .cancelled)
        }
        await endpoints.close()
      }

      // Dispatch and the concurrency library open some of their own, which stay.
      await round(calls: 20)
      let before = OwnProcess.descriptorCount
      await round(calls: 200)
      while !OwnProcess.leftNothing(openSince: before) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
}
