System.end(await Program.run())
