# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/failures"
require "tmpdir"

# The gems of examples/notes, and those that come with JRuby.
notes = File.expand_path("../../../build/notes/gems", __dir__)
Gem.paths = {"GEM_PATH" => [*Gem.path, notes, Gem.default_dir].join(File::PATH_SEPARATOR)}
begin
  require "sequel"
rescue LoadError
  nil # There is nothing to test then.
end

describe "Sequel's extension jruvoy_cancel" do
  include OnLoop

  # Takes longer than any test may.
  ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n"

  unless defined?(Sequel)
    it "is tried where examples/notes is set up" do
      expect(File.exist?(File.join(notes, "specifications"))).to be == false
    end
    next
  end

  def before
    super
    @folder = Dir.mktmpdir
    Sequel.extension(:fiber_concurrency)
    @db = Sequel.connect("jdbc:sqlite:#{@folder}/test.db", max_connections: 1)
    @db.extension(:jruvoy_cancel)
    @db.create_table(:rows) { Integer :number }
  end

  def after(error = nil)
    @db&.disconnect
    FileUtils.rm_rf(@folder) if @folder
    super
  end

  # Begin a transaction with a row in it, and stop it while the block blocks.
  # @returns [Exception | Nil] What the transaction saw.
  def cut(task)
    seen = nil
    began = false
    waiter = task.async do
      @db.transaction do
        @db[:rows].insert(number: 1)
        began = true
        yield
      rescue Exception => seen
        raise
      end
    end
    sleep(0.001) until began
    sleep(0.02)
    waiter.stop
    waiter.wait
    seen
  end

  # The one connection of the pool works, and has nothing of the transaction.
  def clean?
    @db[:rows].count.zero? && @db.transaction { @db[:rows].insert(number: 2) } && @db[:rows].delete == 1
  end

  it "lets the other fibers run while a statement is executed" do
    beside_turns do |_, turns|
      statement = Async { raised(Sequel::DatabaseError) { @db.run("PRAGMA busy_timeout = 1; #{ENDLESS}") } }
      turns.await
      statement.stop
      expect(clean?).to be == true
    end
  end

  it "cancels a statement, rolls back, and leaves the connection clean" do
    on_loop do |task|
      20.times do
        expect(cut(task) { @db[ENDLESS].all }).to be_a(Async::Cancel)
        expect(clean?).to be == true
      end
    end
  end

  it "cancels a prepared statement, when it is new and when it is known" do
    on_loop do |task|
      endless = @db[ENDLESS].prepare(:select, :endless)
      3.times do
        expect(cut(task) { endless.call }).to be_a(Async::Cancel)
        expect(clean?).to be == true
      end
    end
  end

  it "rolls back a transaction that waits for something else" do
    on_loop do |task|
      cut(task) { sleep }
      expect(clean?).to be == true
    end
  end

  it "gives a fiber that is stopped while it waits for a connection nothing, and the next one all" do
    on_loop do |task|
      go = Thread::Queue.new
      holder = task.async { @db.transaction { go.pop } }
      waiting = Array.new(3) { |i| task.async { @db[:rows].insert(number: i) } }
      3.times { task.yield }
      waiting[0].stop
      go << nil
      [holder, *waiting].each(&:wait)
      expect(@db[:rows].select_order_map(:number)).to be == [1, 2]
    end
  end

  it "cancels the statement of a thread, and raises Cancelled there" do
    pool = Jruvoy::ThreadPool.new(1, "thread")
    on_loop do |task|
      seen = nil
      waiter = task.async do
        pool.run(nil) do
          @db.transaction { @db[:rows].insert(number: 1) && @db[ENDLESS].all }
        rescue Exception => seen
          raise
        end
      end
      sleep(0.05)
      waiter.stop
      waiter.wait
      expect(seen).to be_a(Jruvoy::Cancelled)
      expect(clean?).to be == true
    end
  end

  it "refuses a database that is not by JDBC" do
    expect { Sequel.mock.extension(:jruvoy_cancel) }.to raise_exception(Sequel::Error)
  end
end
