from tests.oracle import campaign, plain
import json, random, copy, subprocess, sys
from collections import Counter, defaultdict
rng=random.Random(int(sys.argv[1]))
JUNK=[None,0,-1,1,1.5,True,False,"","x",[],{}, [None], {"a":1}, 10**30, "\ud83d\ude00", [[]], 1e308]
def paths(v,p=()):
    yield p
    if isinstance(v,dict):
        for k in v: yield from paths(v[k],p+(k,))
    elif isinstance(v,list):
        for i,x in enumerate(v): yield from paths(x,p+(i,))
docs=[];info=[]
for fam,m in campaign.FAMILIES.items():
    for _ in range(6000):
        d=copy.deepcopy(m.random_round(rng)); d.pop("void",None)
        p=rng.choice([p for p in paths(d) if p])
        j=rng.choice(JUNK)
        t=d
        for k in p[:-1]: t=t[k]
        old=t[p[-1]]
        t[p[-1]]=j
        docs.append(d);info.append((fam,d["game"],p,old,j))
def crashsafe(lines):
    out=[]
    while len(out)<len(lines):
        r=subprocess.run([campaign.felt(),"settle","-"],input="\n".join(lines[len(out):])+"\n",capture_output=True,text=True)
        out+= [json.loads(x) for x in r.stdout.splitlines()]
        if len(out)<len(lines):
            out.append({"crash":r.stderr.strip()[-400:]})
    return out
ans=crashsafe([json.dumps(d) for d in docs])
acc=defaultdict(list)
for d,i,a in zip(docs,info,ans):
    fam,g,p,old,j=i
    key="/".join("#" if isinstance(k,int) else k for k in p)
    if "crash" in a: print("CRASH",g,key,repr(j),a["crash"][:150]); continue
    if not isinstance(a,dict) or ("error" in a)==("seats" in a): print("ODD",i,a)
    if "error" in a:
        if not isinstance(a["error"],str) or len(a["error"])>600: print("LONG",a)
        continue
    if type(old)==type(j) and old==j: continue
    acc[(key,repr(j))].append((g,old))
for k,v in sorted(acc.items()): print(k,len(v),dict(Counter(g for g,_ in v)), [o for _,o in v][:3])
